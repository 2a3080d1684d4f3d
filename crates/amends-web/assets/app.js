// The page's program.
