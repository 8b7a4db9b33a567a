"""What tests and the commands of `tests` share: tables, generators, plain definitions, runners. No tests."""
