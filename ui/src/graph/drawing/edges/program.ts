import type Sigma from 'sigma'
import { EdgeProgram, type ProgramInfo } from 'sigma/rendering'
import type { EdgeDisplayData, NodeDisplayData, RenderParams } from 'sigma/types'
import { floatColor } from 'sigma/utils'
import { ARROW } from '../../../../../picture/edges/ink.ts'
import { dashesOf, type LineStyle } from '../../../../../picture/model/shapes.ts'

/** The appearance of an edge in the drawing. */
export interface DrawnEdge extends EdgeDisplayData {
  /** The bend from `bendsOf`. */
  bend: number
  hasArrow: boolean
  /** Solid if undefined. */
  line: LineStyle | undefined
  /** From 0 (the common opacity of edges) to 1 (opaque). */
  emphasis: number
}

const [FLOAT, UNSIGNED_BYTE, TRIANGLE_STRIP] = [0x1406, 0x1401, 5]

const UNIFORMS = ['u_matrix', 'u_dimensions', 'u_pixelRatio', 'u_sizeRatio', 'u_opacity'] as const

/** Declarations that all edge shaders share. The shaders work in screen pixels, with the y axis pointing up. */
export const SHADER_HEAD = /* glsl */ `
attribute vec2 a_source;
attribute vec2 a_target;
attribute float a_size;
attribute float a_emphasis;
attribute vec4 a_color;

uniform mat3 u_matrix;
uniform vec2 u_dimensions;
uniform float u_pixelRatio;
uniform float u_opacity;

varying vec4 v_color;
// The distances from the left and right borders.
varying vec2 v_borders;

vec2 pixelsOf(vec2 position) {
  return ((u_matrix * vec3(position, 1.0)).xy * 0.5 + 0.5) * u_dimensions;
}
`

const VERTEX_SHADER_SOURCE = /* glsl */ `
${SHADER_HEAD}
attribute vec2 a_radii;
attribute float a_bend;
attribute float a_hasArrow;
// The length of a dash, relative to the width of the edge, or 0 if the edge is solid. Gaps are twice as long as the width.
attribute float a_dash;
// The position along the line, the side of the line, and whether the vertex belongs to the arrow.
attribute vec3 a_vertex;
uniform float u_sizeRatio;

// The distance from the start of the edge, and the lengths of a dash and of a dash with its gap, in screen pixels.
varying vec3 v_dash;

vec2 curve(vec2 from, vec2 control, vec2 to, float place) {
  return mix(mix(from, control, place), mix(control, to, place), place);
}

void main() {
  vec2 from = pixelsOf(a_source);
  vec2 to = pixelsOf(a_target);
  vec2 way = to - from;
  vec2 control = (from + to) * 0.5 + vec2(-way.y, way.x) * a_bend;
  float width = max(a_size, 1.0) * u_pixelRatio;
  vec2 radii = a_radii * u_pixelRatio / u_sizeRatio;

  float fitting = min(${ARROW.base.toFixed(1)} * u_pixelRatio + ${ARROW.perWidth.toFixed(1)} * width, max(${ARROW.least.toFixed(1)} * u_pixelRatio, ${ARROW.perRadius.toFixed(1)} * radii.y));
  float arrow = a_hasArrow * min(fitting, max(0.0, length(way) - radii.x - radii.y));
  // Finds where the arrow begins, using two steps of Newton's method from the end.
  float cut = a_hasArrow * (radii.y + arrow);
  float last = 1.0 - cut / max(2.0 * distance(control, to), 1.0);
  vec2 slope = mix(control - from, to - control, last) * 2.0;
  last = clamp(last + (distance(curve(from, control, to, last), to) - cut) / max(length(slope), 1.0), 0.0, 1.0);

  float place = min(a_vertex.x, 1.0) * last;
  vec2 point = curve(from, control, to, place);
  vec2 tangent = a_vertex.z > 0.0 ? to - point : mix(control - from, to - control, place);
  tangent /= max(length(tangent), 0.0001);
  vec2 normal = vec2(-tangent.y, tangent.x);

  float halfWidth = (width + 1.0) * 0.5;
  float side = a_vertex.y;
  if (a_vertex.z > 0.0) {
    halfWidth = arrow * ${(ARROW.wideness / 2).toFixed(2)};
    if (side == 0.0) point += tangent * arrow;
    // The distance from a corner of the arrow to the opposite side.
    v_borders = vec2(side < 0.0, side > 0.0) * 2.0 * halfWidth * arrow / max(length(vec2(halfWidth, arrow)), 0.0001);
  } else {
    v_borders = vec2(1.0 - side, 1.0 + side) * halfWidth;
  }
  gl_Position = vec4((point + normal * side * halfWidth) / u_dimensions * 2.0 - 1.0, 0.0, 1.0);

  float opacity = mix(u_opacity, 1.0, a_emphasis) * min(a_size, 1.0);
  v_color = vec4(a_color.rgb, 1.0) * opacity;
  float dash = a_vertex.z > 0.0 ? 0.0 : a_dash;
  v_dash = vec3(place * (distance(from, control) + distance(control, to)), dash * width, (dash + 2.0) * width);
}
`

/** Draws all edges, including plain lines, with soft borders. */
export const FRAGMENT_SHADER_SOURCE = /* glsl */ `
precision mediump float;
varying vec4 v_color;
varying vec2 v_borders;

void main() {
  gl_FragColor = v_color * clamp(min(v_borders.x, v_borders.y), 0.0, 1.0);
}
`

/** Like `FRAGMENT_SHADER_SOURCE`, but also draws dashes. */
const DASHED_SHADER_SOURCE = FRAGMENT_SHADER_SOURCE.replace(
  'varying vec2 v_borders;',
  '$&\nvarying vec3 v_dash;'
).replace('void main() {', '$&\n  if (v_dash.y > 0.0 && mod(v_dash.x, v_dash.z) > v_dash.y) discard;')

/** The number of line segments in a curve. */
const LINES = 20

/** Returns the vertices of a strip along the line, and of the arrow at its end. */
function verticesOf(lines: number): number[][] {
  const strip = Array.from({ length: lines + 1 }, (_, index) => [1, -1].map((side) => [index / lines, side, 0]))
  return [...strip.flat(), [1, 1, 1], [1, -1, 1], [1, 0, 1]]
}

/** Describes a program attribute that consists of `size` numbers, which are floats by default. */
export const attribute = (name: string, size: number, type = FLOAT, normalized = false) => ({
  name,
  size,
  type,
  normalized
})

/**
 * Returns a program that draws straight or curved edges as thin strips with arrows. `opacity` returns the opacity of
 * unemphasized edges. The renderer's own program for curves fills a rectangle around each curve, which takes seconds without a
 * GPU. Its programs also do not support translucent colours.
 */
export function createEdgeProgram(isStraight: boolean, opacity: (sigma: Sigma) => number) {
  const vertices = verticesOf(isStraight ? 1 : LINES)
  return class extends EdgeProgram<(typeof UNIFORMS)[number]> {
    getDefinition() {
      return {
        VERTICES: vertices.length,
        VERTEX_SHADER_SOURCE,
        FRAGMENT_SHADER_SOURCE: DASHED_SHADER_SOURCE,
        METHOD: TRIANGLE_STRIP,
        UNIFORMS,
        ATTRIBUTES: [
          attribute('a_source', 2),
          attribute('a_target', 2),
          attribute('a_radii', 2),
          attribute('a_bend', 1),
          attribute('a_size', 1),
          attribute('a_hasArrow', 1),
          attribute('a_dash', 1),
          attribute('a_emphasis', 1),
          attribute('a_color', 4, UNSIGNED_BYTE, true)
        ],
        CONSTANT_ATTRIBUTES: [attribute('a_vertex', 3)],
        CONSTANT_DATA: vertices
      }
    }

    processVisibleItem(_: number, start: number, from: NodeDisplayData, to: NodeDisplayData, edge: DrawnEdge) {
      const { bend, size, hasArrow, line, emphasis, color } = edge
      const [dash = 0] = dashesOf(line, 1)
      this.array.set(
        [
          from.x,
          from.y,
          to.x,
          to.y,
          from.size,
          to.size,
          bend,
          size,
          Number(hasArrow),
          dash,
          emphasis,
          floatColor(color)
        ],
        start
      )
    }

    setUniforms(params: RenderParams, { gl, uniformLocations }: ProgramInfo) {
      const { matrix, width, height, pixelRatio, sizeRatio } = params
      gl.uniformMatrix3fv(uniformLocations.u_matrix as WebGLUniformLocation, false, matrix)
      gl.uniform2f(uniformLocations.u_dimensions as WebGLUniformLocation, width * pixelRatio, height * pixelRatio)
      gl.uniform1f(uniformLocations.u_pixelRatio as WebGLUniformLocation, pixelRatio)
      gl.uniform1f(uniformLocations.u_sizeRatio as WebGLUniformLocation, sizeRatio)
      gl.uniform1f(uniformLocations.u_opacity as WebGLUniformLocation, opacity(this.renderer as unknown as Sigma))
    }
  }
}
