# sample(0:51), seeded by the clock. Arguments: calls before, decks.
arguments <- as.integer(commandArgs(trailingOnly = TRUE))
set.seed(as.integer(Sys.time()))
invisible(runif(arguments[1]))
for (hand in seq_len(arguments[2])) cat(sample(0:51), sep = " ", fill = 1000)
