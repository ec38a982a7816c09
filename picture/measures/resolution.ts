/** The bounds of the resolution of communities. */
export const [LEAST_RESOLUTION, GREATEST_RESOLUTION] = [0.01, 100]

/** Reads the resolution from an address. Returns undefined for the default, which is 1, and for invalid values. */
export function readResolution(value: string | null): number | undefined {
  const resolution = Number(value ?? 1)
  const isValid = resolution >= LEAST_RESOLUTION && resolution <= GREATEST_RESOLUTION
  return isValid && resolution !== 1 ? resolution : undefined
}
