/** A command of the program: takes its arguments, returns the exit code. */
export type Command = (args: string[]) => Promise<number>
