import { printable } from './printable.ts'

// All output of commands goes through these functions, so that untrusted names and responses cannot control the terminal.

/** Prints text after escaping control characters. */
export function print(text: string) {
  console.log(escapeLines(text))
}

/** Prints text to standard error after escaping control characters. */
export function printError(text: string) {
  console.error(escapeLines(text))
}

/** Prints a prompt without a newline. */
export function prompt(text: string) {
  process.stderr.write(escapeLines(text))
}

/** Prints a value as one line of JSON. */
export function printJson(value: unknown) {
  console.log(escapeJson(JSON.stringify(value)))
}

/** Prints data verbatim, or escaped if standard output is a terminal. */
export function printData(data: string) {
  process.stdout.write(process.stdout.isTTY ? escapeLines(data) : data)
}

/** Escapes control and formatting characters, except for tabs and newlines. */
export function escapeLines(text: string): string {
  return text.replace(/[^\t\r\n]+|\r(?!\n)/g, printable)
}

/** Escapes characters that JSON.stringify leaves unchanged: DEL, C1 controls, and those that change the text direction. */
export function escapeJson(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replace(/[\u007f-\u{10ffff}]/gu, (character) =>
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character) ? character.split('').map(escaped).join('') : character
  )
}
