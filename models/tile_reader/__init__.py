"""The tile reader's network: data, training, calibration, export, evaluation. Never imported at run time."""
