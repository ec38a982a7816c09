/** Returns the options of a select field from a record that maps values to labels. */
export function optionsOf<Value extends string>(names: Record<Value, string>): { value: Value; label: string }[] {
  return (Object.keys(names) as Value[]).map((value) => ({ value, label: names[value] }))
}
