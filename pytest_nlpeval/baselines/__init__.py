"""Where a baseline comes from: the system's files at a revision of git, or a file of stored evidence."""
