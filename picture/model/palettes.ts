import type { PaletteName } from '../../schemas/style.ts'
import { mixed } from './mixing.ts'

/**
 * The categorical palettes, which people with a colour vision deficiency can tell apart too. `distinct` was optimised for its
 * least difference (Oklab) under simulated protanopia, deuteranopia and tritanopia (Machado et al. 2009,
 * doi:10.1109/TVCG.2009.113), on white and on near-black backgrounds. Grey is reserved for other values. The others are by
 * Okabe and Ito, without black, and by Paul Tol.
 */
const categorical = {
  distinct: [
    ...['#678dfc', '#cb3416', '#f0a73a', '#2e48b5', '#ab9126', '#972949'],
    ...['#cf55b4', '#2c886a', '#6e4c84', '#65c98b', '#d2a1ff', '#8857e1']
  ],
  'okabe-ito': ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#f0e442'],
  'tol-bright': ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377'],
  'tol-muted': [
    ...['#cc6677', '#332288', '#ddcc77', '#117733', '#88ccee'],
    ...['#882255', '#44aa99', '#999933', '#aa4499']
  ]
} satisfies Partial<Record<PaletteName, readonly string[]>>

/** The ramps for numbers. `viridis` is trimmed at both ends, to stay visible on white and on near-black backgrounds. */
const sequential = {
  viridis: ['#46327e', '#365c8d', '#277f8e', '#1fa187', '#4ac16d', '#a0da39'],
  cividis: ['#00204d', '#31446b', '#666970', '#958f78', '#cbba69', '#ffea46'],
  plasma: ['#0d0887', '#6a00a8', '#b12a90', '#e16462', '#fca636', '#f0f921'],
  blues: ['#c6dbef', '#9ecae1', '#6baed6', '#4292c6', '#2171b5', '#08519c']
} satisfies Partial<Record<PaletteName, readonly string[]>>

/** The ramps for numbers on both sides of a middle, based on ColorBrewer with a darker middle. */
const diverging = {
  'blue-red': ['#2166ac', '#67a9cf', '#c9cdd1', '#ef8a62', '#b2182b'],
  'purple-green': ['#762a83', '#af8dc3', '#cdcdcd', '#7fbf7b', '#1b7837'],
  'orange-purple': ['#b35806', '#f1a340', '#cfccc8', '#998ec3', '#542788']
} satisfies Partial<Record<PaletteName, readonly string[]>>

export const palettes = { categorical, sequential, diverging }

/** The colour of missing values, and of values beyond the palette. */
export const OTHER = '#9aa3ab'

/** The default palettes. */
export const palette: readonly string[] = categorical.distinct
export const ramp: readonly string[] = sequential.viridis

/** The colour that darkens the variants of a palette's colours: by half, because with less, they look like other colours. */
const INK = '#1a1b1e'

/** Returns the colours of the categorical palette with this name, if it exists. Darker variants fill it up to the default length. */
export function categoricalNamed(name: string | undefined): readonly string[] | undefined {
  const own = colours(categorical, name)
  return own && [...own, ...own.map((colour) => mixed(colour, INK, 0.5))].slice(0, palette.length)
}

/** Returns the colours of the ramp with this name, if it exists. */
export function rampNamed(name: string | undefined): readonly string[] | undefined {
  return colours(sequential, name) ?? colours(diverging, name)
}

/** Returns whether the ramp with this name has a middle. */
export function isDiverging(name: string | undefined): boolean {
  return colours(diverging, name) !== undefined
}

function colours(all: Record<string, readonly string[]>, name: string | undefined) {
  return name !== undefined && Object.hasOwn(all, name) ? all[name] : undefined
}
