import { Button, ColorInput, Input, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { drawnRange, type Range, usualDiameters, usualWidths } from '../../../../picture/model/scales.ts'
import { BoundedNumber } from '../../shared/bounded-number.tsx'
import { text } from '../../text/index.ts'
import { useGraphContext } from '../graph-context.ts'
import { isLarge } from '../network/network.ts'
import { SIX_DIGITS } from './colour-field.tsx'
import { StyleRange, StyleSize } from './style-range.tsx'
import { StyleSlider } from './style-slider.tsx'
import { useStyle } from './use-style.ts'

/** The rules for labels, in the order of the control. */
const RULES = ['all', 'important', 'none'] as const

const FONTS = ['sans', 'serif'] as const

/** The fields for the style of the whole drawing. */
export default function StyleFields() {
  const { view } = useGraphContext()
  const { style, set, setBackground, reset } = useStyle(view)
  const { nodes = {}, edges = {}, labels = {} } = style ?? {}
  const isSparing = isLarge(view.network)
  const [count, edgeCount] = [view.network.nodes.length, view.network.edges.length]
  const hasEdges = edgeCount > 0
  const { appearance, size, edgeSize } = view.look
  const diameters = drawnRange((node) => appearance.nodeSize(node) * 2, count)
  const drawnWidths = drawnRange(appearance.edgeSize, edgeCount)
  const ofNodes = {
    bounds: [1, 200] as [number, number],
    min: 1,
    max: 80,
    step: 1,
    onChange: (sizes: Range) => set('nodes', { sizes })
  }
  const ofEdges = {
    bounds: [0.1, 50] as [number, number],
    min: 0.2,
    max: 20,
    step: 0.2,
    onChange: (widths: Range) => set('edges', { widths })
  }
  return (
    <Stack gap="sm">
      {size ? (
        <StyleRange {...ofNodes} label={text.look.sizes} value={nodes.sizes ?? diameters} />
      ) : (
        <StyleSize
          {...ofNodes}
          label={text.look.oneSize}
          value={nodes.sizes ?? usualDiameters(count)}
          size={diameters.least}
        />
      )}
      <Input.Wrapper label={text.look.labels} labelElement="div">
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={text.look.labels}
          value={labels.rule ?? 'important'}
          onChange={(rule) => set('labels', { rule })}
          data={RULES.map((value) => ({ value, label: text.look.labelRules[value] }))}
        />
      </Input.Wrapper>
      <StyleSlider
        label={text.look.labelSize}
        value={labels.size}
        usual={14}
        min={6}
        max={40}
        step={1}
        onChange={(size) => set('labels', { size })}
      />
      <Switch
        label={text.look.labelsBySize}
        checked={labels.bySize ?? false}
        onChange={({ currentTarget }) => set('labels', { bySize: currentTarget.checked || undefined })}
      />
      <Input.Wrapper label={text.look.mostLabels} labelElement="div">
        <BoundedNumber
          label={text.look.mostLabels}
          value={labels.most}
          min={1}
          max={1000}
          isInteger
          placeholder={text.look.noLimit}
          onEmpty={() => set('labels', { most: undefined })}
          onChange={(most) => set('labels', { most })}
        />
      </Input.Wrapper>
      <Input.Wrapper label={text.look.font} labelElement="div">
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={text.look.font}
          value={labels.font ?? 'sans'}
          onChange={(font) => set('labels', { font: font === 'sans' ? undefined : font })}
          data={FONTS.map((value) => ({ value, label: text.look.fonts[value] }))}
        />
      </Input.Wrapper>
      {!isSparing && (
        <StyleSlider
          label={text.look.nodeOpacity}
          value={nodes.opacity}
          usual={1}
          min={0.1}
          max={1}
          step={0.05}
          onChange={(opacity) => set('nodes', { opacity })}
        />
      )}
      {hasEdges && (
        <>
          {edgeSize ? (
            <StyleRange {...ofEdges} label={text.look.widths} value={edges.widths ?? drawnWidths} />
          ) : (
            <StyleSize
              {...ofEdges}
              label={text.look.oneWidth}
              value={edges.widths ?? usualWidths}
              size={drawnWidths.least}
            />
          )}
          <StyleSlider
            label={text.look.edgeOpacity}
            value={edges.opacity}
            usual={0.5}
            isAutomatic
            min={0.02}
            max={1}
            step={0.02}
            onChange={(opacity) => set('edges', { opacity })}
          />
        </>
      )}
      {isSparing && (
        <Text size="xs" c="dimmed">
          {text.look.sparing}
        </Text>
      )}
      {hasEdges && !isSparing && (
        <>
          <StyleSlider
            label={text.look.curvature}
            value={edges.curvature}
            usual={0}
            min={0}
            max={0.6}
            step={0.05}
            onChange={(curvature) => set('edges', { curvature })}
          />
          <Switch
            label={text.look.arrows}
            checked={edges.arrows ?? true}
            onChange={({ currentTarget }) => set('edges', { arrows: currentTarget.checked })}
          />
        </>
      )}
      <Switch
        label={text.look.counts}
        checked={style?.legend?.counts ?? true}
        onChange={({ currentTarget }) => set('legend', { counts: currentTarget.checked })}
      />
      <ColorInput
        label={text.look.background}
        size="sm"
        format="hex"
        placeholder={view.paper.background}
        value={style?.background ?? ''}
        onChange={(colour) => (colour === '' || SIX_DIGITS.test(colour)) && setBackground(colour || undefined)}
        withEyeDropper={false}
        swatches={['#ffffff', '#f8f9fa', '#fdf6e3', '#1f1f1f', '#000000']}
        popoverProps={{ withinPortal: true }}
      />
      <Button variant="default" size="xs" disabled={!style} onClick={reset}>
        {text.look.reset}
      </Button>
    </Stack>
  )
}
