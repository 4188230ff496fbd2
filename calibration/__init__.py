"""What is special about one table: camera, board edition, tile set; profiles and how to make them."""
