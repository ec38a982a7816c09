import { Button, Group, Image, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { familyOf } from '../../../../picture/sheet/paper.ts'
import type { Picture } from '../../../../picture/sheet/picture.ts'
import { svgOf } from '../../../../picture/sheet/svg.ts'
import { bandOf } from '../../../../picture/sheet/title.ts'
import { FormDialog } from '../../shared/dialog.tsx'
import { saveFile } from '../../shared/save-file.ts'
import { formatNumber, text } from '../../text/index.ts'
import { pngOf } from '../drawing/canvas-picture.ts'
import { withDensity } from './png-density.ts'
import { printedPicture, UNITS_PER_CM } from './printed-picture.ts'

/** The usual widths of one and two columns in journals, in centimetres. */
const PRESETS = [8.5, 17.8]

/** The bounds of the width, in centimetres. */
const [NARROWEST, WIDEST] = [5, 60]

/** The bounds of the font size of labels, and the usual one, in points. */
const [SMALLEST, LARGEST, USUAL] = [4, 24, 7]

/** The formats to choose from: SVG, and PNG in several resolutions, in dots per inch. */
const RESOLUTIONS = [150, 300, 600]
const SVG = 'svg'

/** The units of a printed picture per inch, and per point. */
const UNITS_PER_INCH = 144
const UNITS_PER_POINT = 2

/** The maximum width and height in pixels that all browsers support. */
const MOST_PIXELS = 16_384

/** Larger pictures have no preview, because every change redraws it. Counts nodes and edges. */
const MOST_PREVIEWED = 5000

/** Downloads the drawing as an SVG or PNG of a given width. */
export default function PrintDialog({
  name,
  makePicture,
  onClose
}: {
  /** The file name without its extension. */
  name: string
  /** Returns the picture of what is shown. */
  makePicture: () => Picture
  onClose: () => void
}) {
  const [width, setWidth] = useState<number | string>(PRESETS[0] as number)
  const [labelSize, setLabelSize] = useState<number | string>(USUAL)
  const [format, setFormat] = useState('300')
  const resolution = format === SVG ? undefined : Number(format)
  const [original] = useState(makePicture)
  const measure = useMemo(() => textMeasure(familyOf(original.font)), [original])
  const picture = useMemo(
    () =>
      isWithin(width, NARROWEST, WIDEST) && isWithin(labelSize, SMALLEST, LARGEST)
        ? printedPicture(original, width * UNITS_PER_CM, labelSize * UNITS_PER_POINT, measure)
        : undefined,
    [original, width, labelSize, measure]
  )
  const preview = useMemo(
    () =>
      picture && picture.nodes.length + picture.edges.length <= MOST_PREVIEWED
        ? `data:image/svg+xml,${encodeURIComponent(svgOf(picture))}`
        : undefined,
    [picture]
  )
  const scale = resolution === undefined ? 1 / UNITS_PER_CM : resolution / UNITS_PER_INCH
  const [across, down] = picture ? [picture.width, picture.height + bandOf(picture)].map((n) => n * scale) : []
  const isTooLarge = resolution !== undefined && Math.max(across ?? 0, down ?? 0) > MOST_PIXELS
  const sizeOf = resolution === undefined ? text.download.printSizeInCm : text.download.printSize
  const rounded = (size: number) => formatNumber(resolution === undefined ? Number(size.toFixed(2)) : Math.round(size))
  const save = useMutation({
    mutationFn: async (printed: Picture) => {
      if (resolution === undefined) return new Blob([svgOf(printed, UNITS_PER_CM)], { type: 'image/svg+xml' })
      const png = new Uint8Array(await (await pngOf(printed, scale)).arrayBuffer())
      return new Blob([withDensity(png, Math.round(resolution / 0.0254))], { type: 'image/png' })
    },
    meta: { isRead: true },
    onSuccess: (blob) => {
      saveFile(blob, `${name}.${resolution === undefined ? SVG : 'png'}`)
      onClose()
    }
  })
  return (
    <FormDialog
      title={text.download.printTitle}
      submit={text.download.printSubmit}
      action={save}
      isDisabled={!picture || isTooLarge}
      onSubmit={() => picture && save.mutate(picture)}
      onClose={onClose}
    >
      <Stack gap="xs">
        <NumberInput
          label={text.download.printWidth}
          min={NARROWEST}
          max={WIDEST}
          step={0.1}
          decimalScale={1}
          value={width}
          onChange={setWidth}
          data-autofocus
        />
        <Group gap="xs" role="group" aria-label={text.download.printPresets}>
          {PRESETS.map((preset) => (
            <Button key={preset} size="xs" variant="default" onClick={() => setWidth(preset)}>
              {text.download.printPreset(formatNumber(preset))}
            </Button>
          ))}
        </Group>
        <Group gap="xs" grow>
          <NumberInput
            label={text.download.printLabels}
            min={SMALLEST}
            max={LARGEST}
            step={0.5}
            decimalScale={1}
            value={labelSize}
            onChange={setLabelSize}
          />
          <Select
            label={text.download.printFormat}
            data={[
              ...RESOLUTIONS.map(String).map((dots) => ({ value: dots, label: text.download.printDots(dots) })),
              { value: SVG, label: text.download.svg }
            ]}
            value={format}
            onChange={(format) => format && setFormat(format)}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
          />
        </Group>
        {preview && <Image src={preview} alt={text.download.printPreview} mah="40vh" fit="contain" bd="1px solid" />}
        {across !== undefined && down !== undefined && (
          <Text size="sm" role="status">
            {isTooLarge
              ? text.download.printTooLarge(formatNumber(MOST_PIXELS))
              : sizeOf(rounded(across), rounded(down))}
          </Text>
        )}
      </Stack>
    </FormDialog>
  )
}

function isWithin(value: number | string, least: number, greatest: number): value is number {
  return typeof value === 'number' && value >= least && value <= greatest
}

/** Returns a function that measures the text of labels in a font, in ems. */
function textMeasure(family: string) {
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = `600 100px ${family}`
  return (label: string) => (context?.measureText(label).width ?? label.length * 64) / 100
}
