/** Returns the calendar day of a date in the user's time zone, as `yyyy-MM-dd`. */
export function dayOf(date: Date): string {
  const digits = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`
}
