/** Returns the colour at a position on the ramp, from 0 to 1. */
export function rampAt(ramp: readonly string[], place: number): string {
  const position = Math.min(Math.max(place, 0), 1) * (ramp.length - 1)
  const index = Math.min(Math.floor(position), ramp.length - 2)
  return mixed(ramp[index] as string, ramp[index + 1] as string, position - index)
}

/** Interpolates between two colours (`#rrggbb`). `position` is between 0 and 1. */
export function mixed(one: string, other: string, position: number): string {
  const [from, to] = [channelsOf(one), channelsOf(other)]
  const between = from.map((channel, i) => Math.round(channel + ((to[i] as number) - channel) * position))
  return `#${between.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Returns the sum of the channel differences of two colours (`#rrggbb`), up to 765. */
export function differenceOf(one: string, other: string): number {
  const channels = channelsOf(other)
  return channelsOf(one).reduce((sum, channel, i) => sum + Math.abs(channel - (channels[i] as number)), 0)
}

function channelsOf(colour: string) {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
}
