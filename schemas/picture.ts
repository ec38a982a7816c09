import { type Static, Type } from '@sinclair/typebox'
import { ViewName } from './saved-view.ts'
import { closed, digits, oneOf } from './types.ts'

/** The minimum and maximum width and height of a picture, in pixels. */
const LEAST = 64
const MOST = 2000
const WIDTH = 960
const HEIGHT = 600

const themes = ['light', 'dark'] as const

/** The size and theme of a picture. */
export interface PictureOptions {
  width: number
  height: number
  theme: (typeof themes)[number]
}

/** The picture formats and their media types. */
export const pictureTypes = { svg: 'image/svg+xml', png: 'image/png' } as const
export type PictureForm = keyof typeof pictureTypes

const side = (name: string, usual: number) =>
  Type.Optional(
    digits(LEAST, MOST, { description: `The ${name} in pixels, ${usual} by default.`, examples: [String(usual)] })
  )

export const PictureQuery = closed({
  width: side('width', WIDTH),
  height: side('height', HEIGHT),
  theme: Type.Optional(oneOf(themes, { description: 'The colour scheme, `light` by default.', examples: ['light'] }))
})

export const PictureInViewQuery = closed({
  ...PictureQuery.properties,
  view: Type.Optional({ ...ViewName, description: 'The name of a saved view of the graph.' })
})

/** Returns the size and theme specified by a query. */
export function pictureOptionsOf(query: Static<typeof PictureQuery>): PictureOptions {
  return { width: Number(query.width ?? WIDTH), height: Number(query.height ?? HEIGHT), theme: query.theme ?? 'light' }
}
