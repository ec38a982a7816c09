/**
 * An error value of Excel in any language, such as #DIV/0!, #¡VALOR! or #Н/Д, or the signs that it shows if a column is too
 * narrow for a number.
 */
const ERROR =
  /^#(?:[¡¿]?\p{L}[\p{L}/0._]*[!?]|\p{L}\/\p{L}|NA|NV|YOK|HIÁNYZIK|NEDOSTUPNÝ|NENÍ_K_DISPOZICI|GETTING_DATA|#+)$/iu

/** An error value of LibreOffice Calc, such as Err:502. The word depends on the language. */
const CALC_ERROR = /^\p{L}{2,10}[ \u00a0\u202f]?:5\d\d$/u

/** Returns whether the cell contains an error value of a spreadsheet. */
export function isErrorValue(cell: string) {
  return cell.startsWith('#') ? ERROR.test(cell) : cell.includes(':5') && CALC_ERROR.test(cell)
}
