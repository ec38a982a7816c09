import { Button, List, Menu, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { legendRows } from '../../../picture/sheet/legend-rows.ts'
import { svgOf } from '../../../picture/sheet/svg.ts'
import { exportFormats, type GraphFile, type MediaType, mediaTypes } from '../graphs/formats.ts'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { notify, notifyFailure } from '../shared/notify.ts'
import { saveFile } from '../shared/save-file.ts'
import { formatNumber, text } from '../text/index.ts'
import { pngOf } from './drawing/canvas-picture.ts'
import type { Drawing } from './drawing/drawing.ts'
import { pictureOf } from './drawing/drawn-picture.ts'
import type { GraphViewState } from './view/use-graph-view.ts'

const PrintDialog = lazyComponent('print', () => import('./print/print-dialog.tsx'))

/** The available picture resolutions, in pixels per CSS pixel. */
const SCALES = [1, 2, 3, 4]

/** A menu to download the graph in any format, or the drawing as a picture. Reports what the format cannot store. */
export function DownloadMenu({
  name,
  fetchFile,
  view: {
    view: { style },
    network,
    paper,
    look
  },
  drawing,
  onNewGraph
}: {
  /** The name of the graph. */
  name: string
  fetchFile: (mediaType: MediaType) => Promise<GraphFile>
  view: GraphViewState
  /** The drawing, if there is one. */
  drawing: RefObject<Drawing | null> | undefined
  /** Creates a graph from the visible part. Absent if nothing is visible or the user may not create graphs. */
  onNewGraph?: (() => void) | undefined
}) {
  const rowsIn = (scale: number) => legendRows(look.legends, style, text.legend, formatNumber, scale)
  const isExplained = rowsIn(1).length > 0
  const file = useMutation({
    mutationFn: fetchFile,
    meta: { isRead: true },
    onError: notifyFailure,
    onSuccess: ({ blob, name, losses }) => {
      saveFile(blob, name)
      if (losses.length === 0) return
      notify({
        color: 'yellow',
        title: text.download.losses,
        autoClose: 15_000,
        message: (
          <List size="sm">
            {losses.map(({ code, count }) => (
              <List.Item key={code}>
                {formatNumber(count)} × {text.download.kinds[code] ?? code}
              </List.Item>
            ))}
          </List>
        )
      })
    }
  })
  const [hasLegend, setHasLegend] = useState(true)
  const [isTitled, setIsTitled] = useState(false)
  const [isPrinting, setIsPrinting] = useState(false)
  const shownPicture = () => {
    const drawn = drawing?.current
    if (!drawn) throw new Error('the graph is not drawn')
    return { ...pictureOf(drawn, network, name, paper, hasLegend ? rowsIn(drawn.nodeScale) : []), isTitled }
  }
  const fileName = name.replace(/[<>:"/\\|?*]+/g, '-')
  const picture = useMutation({
    mutationFn: async (scale: number | undefined) => {
      const shown = shownPicture()
      return scale === undefined
        ? { kind: 'svg', blob: new Blob([svgOf(shown)], { type: 'image/svg+xml' }) }
        : { kind: 'png', blob: await pngOf(shown, scale) }
    },
    meta: { isRead: true },
    onError: notifyFailure,
    onSuccess: ({ kind, blob }) => saveFile(blob, `${fileName}.${kind}`)
  })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            className="tool"
            aria-label={text.download.title}
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={file.isPending || picture.isPending}
          >
            <span className="tool-label">{text.download.title}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" className="scrolling">
          {drawing && (
            <>
              <Menu.Label>{text.download.picture}</Menu.Label>
              {SCALES.map((scale) => (
                <Menu.Item key={scale} onClick={() => picture.mutate(scale)}>
                  {text.download.png(scale)}
                </Menu.Item>
              ))}
              <Menu.Item onClick={() => picture.mutate(undefined)}>{text.download.svg}</Menu.Item>
              <Menu.Item onClick={() => setIsPrinting(true)}>{text.download.print}</Menu.Item>
              <Menu.CheckboxItem checked={isTitled} onChange={setIsTitled}>
                {text.download.withTitle}
              </Menu.CheckboxItem>
              {isExplained && (
                <Menu.CheckboxItem checked={hasLegend} onChange={setHasLegend}>
                  {text.download.withLegend}
                </Menu.CheckboxItem>
              )}
            </>
          )}
          <Menu.Label>{text.download.file}</Menu.Label>
          {mediaTypes.map((mediaType) => (
            <Menu.Item key={mediaType} onClick={() => file.mutate(mediaType)}>
              <Text size="sm">{exportFormats[mediaType]}</Text>
            </Menu.Item>
          ))}
          {onNewGraph && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={onNewGraph}>{text.filter.newGraphInMenu}</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isPrinting && <PrintDialog name={fileName} makePicture={shownPicture} onClose={() => setIsPrinting(false)} />}
    </>
  )
}
