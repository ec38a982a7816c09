/** A command of the program. Takes its arguments and returns the exit code. */
export type Command = (args: string[]) => Promise<number>
