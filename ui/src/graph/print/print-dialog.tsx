import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Picture } from '../../../../picture/sheet/picture.ts'
import { bandOf } from '../../../../picture/sheet/title.ts'
import { FormDialog } from '../../shared/dialog.tsx'
import { saveFile } from '../../shared/save-file.ts'
import { formatNumber, text } from '../../text/index.ts'
import { pngOf } from '../drawing/canvas-picture.ts'
import { withDensity } from './png-density.ts'
import { printedPicture, UNITS_PER_CM } from './printed-picture.ts'

/** The usual widths of one and two columns in journals, in centimetres. */
const PRESETS = [8.5, 17.8]

/** The bounds of the width, in centimetres. Browsers do not support much larger pictures. */
const [NARROWEST, WIDEST] = [5, 60]

const DOTS_PER_INCH = 300
const PIXELS_PER_METRE = Math.round(DOTS_PER_INCH / 0.0254)

/** The number of pixels per unit of a printed picture. */
const SCALE = DOTS_PER_INCH / 144

/** Downloads the drawing as a PNG of a given width. */
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
  const [original] = useState(makePicture)
  const measure = useMemo(() => textMeasure(), [])
  const isValid = typeof width === 'number' && width >= NARROWEST && width <= WIDEST
  const picture = useMemo(
    () => (isValid ? printedPicture(original, width * UNITS_PER_CM, measure) : undefined),
    [isValid, original, width, measure]
  )
  const save = useMutation({
    mutationFn: async (printed: Picture) => {
      const png = new Uint8Array(await (await pngOf(printed, SCALE)).arrayBuffer())
      return new Blob([withDensity(png, PIXELS_PER_METRE)], { type: 'image/png' })
    },
    meta: { isRead: true },
    onSuccess: (blob) => {
      saveFile(blob, `${name}.png`)
      onClose()
    }
  })
  return (
    <FormDialog
      title={text.download.printTitle}
      submit={text.download.printSubmit}
      action={save}
      isDisabled={!picture}
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
        {picture && (
          <Text size="sm" role="status">
            {text.download.printSize(
              formatNumber(Math.round(picture.width * SCALE)),
              formatNumber(Math.round((picture.height + bandOf(picture)) * SCALE))
            )}
          </Text>
        )}
      </Stack>
    </FormDialog>
  )
}

/** Returns a function that measures the text of labels. */
function textMeasure() {
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = '600 14px system-ui, sans-serif'
  return (label: string) => context?.measureText(label).width ?? label.length * 9
}
