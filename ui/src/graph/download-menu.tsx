import { Button, List, Menu, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { Graph } from '../api.ts'
import { downloadGraph, formats, type MediaType, mediaTypes, saveFile } from '../graphs/formats.ts'
import { messageOf } from '../shared/failure.tsx'
import { notify } from '../shared/notify.ts'
import { formatNumber, text } from '../text/index.ts'
import type { Drawing } from './drawing.ts'
import type { Paper } from './drawing-labels.ts'
import type { Network } from './network.ts'
import { pngOf, svgPictureOf } from './pictures.ts'

/** Downloads the graph as a file in any format, or the drawing as a picture. Reports losses of the format. */
export function DownloadMenu({
  graph,
  network,
  paper,
  drawing
}: {
  graph: Graph
  network: Network
  paper: Paper
  /** The drawing, if there is one. */
  drawing: RefObject<Drawing | null> | undefined
}) {
  const onError = (error: unknown) => notify({ color: 'red', message: messageOf(error) })
  const file = useMutation({
    mutationFn: (mediaType: MediaType) => downloadGraph(graph.id, mediaType),
    onError,
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
  const picture = useMutation({
    mutationFn: async (kind: 'png' | 'svg') => {
      const drawn = drawing?.current
      if (!drawn) throw new Error('nothing is drawn')
      return {
        kind,
        blob: kind === 'png' ? await pngOf(drawn, network, paper) : svgPictureOf(drawn, network, graph.name, paper)
      }
    },
    onError,
    onSuccess: ({ kind, blob }) => saveFile(blob, `${graph.name.replace(/[<>:"/\\|?*]+/g, '-')}.${kind}`)
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={file.isPending || picture.isPending}
        >
          {text.download.title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" className="scrolling">
        {drawing && (
          <>
            <Menu.Label>{text.download.picture}</Menu.Label>
            <Menu.Item onClick={() => picture.mutate('png')}>{text.download.png}</Menu.Item>
            <Menu.Item onClick={() => picture.mutate('svg')}>{text.download.svg}</Menu.Item>
          </>
        )}
        <Menu.Label>{text.download.file}</Menu.Label>
        {mediaTypes.map((mediaType) => (
          <Menu.Item key={mediaType} onClick={() => file.mutate(mediaType)}>
            <Text size="sm">{formats[mediaType]}</Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
