/** Returns the options of a choice from their names, by value. */
export function optionsOf<Value extends string>(names: Record<Value, string>): { value: Value; label: string }[] {
  return (Object.keys(names) as Value[]).map((value) => ({ value, label: names[value] }))
}
