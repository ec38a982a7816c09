/** A command of the program. Takes the command's arguments and returns the exit code. */
export type Command = (args: string[]) => Promise<number>
