/** What is wrong with the command line, for the person who typed it. */
export class OptionError extends Error {}
