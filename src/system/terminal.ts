import { printable } from './printable.ts'

// Everything that commands print goes through here: names and answers of others must not drive the terminal.

/** Prints text for people. */
export function print(text: string) {
  console.log(escapeLines(text))
}

/** Prints text for people to standard error. */
export function printError(text: string) {
  console.error(escapeLines(text))
}

/** Asks on the terminal, on the same line. */
export function prompt(text: string) {
  process.stderr.write(escapeLines(text))
}

/** Prints a value as a line of JSON. */
export function printJson(value: unknown) {
  console.log(escapeJson(JSON.stringify(value)))
}

/** Prints data as it is; on a terminal like text. */
export function printData(data: string) {
  process.stdout.write(process.stdout.isTTY ? escapeLines(data) : data)
}

/** Escapes control and formatting characters other than tabs and the ends of lines. */
export function escapeLines(text: string): string {
  return text.replace(/[^\t\r\n]+|\r(?!\n)/g, printable)
}

/** Escapes in JSON what JSON.stringify leaves: DEL, C1, and characters that change the direction of text. */
export function escapeJson(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replace(/[\u007f-\u{10ffff}]/gu, (character) =>
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character) ? character.split('').map(escaped).join('') : character
  )
}
