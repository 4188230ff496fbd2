"""The commands of the command line, one module each: add_arguments(parser, texts) and run(args, texts) -> status."""
