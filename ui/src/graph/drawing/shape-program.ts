import type Sigma from 'sigma'
import { NodeProgram, type ProgramInfo } from 'sigma/rendering'
import type { NodeDisplayData, RenderParams } from 'sigma/types'
import { floatColor } from 'sigma/utils'
import { corners, type Shape } from '../../../../picture/model/shapes.ts'
import { attribute } from './edges/program.ts'

/** The appearance of a node that has a shape or is translucent. */
export interface ShapedNode extends NodeDisplayData {
  borderColor: string
  shape: Shape
}

const [UNSIGNED_BYTE, TRIANGLE_STRIP] = [0x1401, 5]

const UNIFORMS = ['u_matrix', 'u_dimensions', 'u_pixelRatio', 'u_sizeRatio', 'u_opacity'] as const

const VERTEX_SHADER_SOURCE = /* glsl */ `
attribute vec2 a_position;
attribute float a_size;
attribute float a_shape;
attribute vec4 a_color;
attribute vec4 a_border;
// A corner of the square around the node, with y pointing up.
attribute vec2 a_vertex;

uniform mat3 u_matrix;
uniform vec2 u_dimensions;
uniform float u_pixelRatio;
uniform float u_sizeRatio;

varying vec2 v_point;
varying float v_radius;
varying float v_shape;
varying vec4 v_color;
varying vec4 v_border;

void main() {
  v_radius = a_size * u_pixelRatio / u_sizeRatio;
  vec2 offset = a_vertex * (v_radius + 1.0);
  vec2 pixels = ((u_matrix * vec3(a_position, 1.0)).xy * 0.5 + 0.5) * u_dimensions + offset;
  gl_Position = vec4(pixels / u_dimensions * 2.0 - 1.0, 0.0, 1.0);
  v_point = vec2(offset.x, -offset.y) / v_radius;
  v_shape = a_shape;
  v_color = a_color;
  v_border = a_border;
}
`

/** The shapes by the number that the shader uses. */
const shapes = ['ellipse', ...Object.keys(corners)] as Shape[]

/**
 * Returns the distance of `p` from the centre as GLSL, as a multiple of the distance to the border of the shape in the same
 * direction. All shapes but `vee` are convex.
 */
function distanceIn(shape: Shape): string {
  if (shape === 'vee') return 'max((-0.6 * abs(p.x) - p.y) / 0.4, 2.0 * abs(p.x) + p.y)'
  const points = corners[shape] ?? []
  const sides = points.map(([x, y], index) => {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y]
    const [acrossX, acrossY] = [nextY - y, x - nextX]
    const reach = acrossX * x + acrossY * y
    return `dot(p, vec2(${(acrossX / reach).toFixed(4)}, ${(acrossY / reach).toFixed(4)}))`
  })
  return sides.reduce((most, side) => `max(${most}, ${side})`)
}

const FRAGMENT_SHADER_SOURCE = /* glsl */ `
precision highp float;
varying vec2 v_point;
varying float v_radius;
varying float v_shape;
varying vec4 v_color;
varying vec4 v_border;
uniform float u_opacity;
uniform float u_pixelRatio;

float distanceOf(vec2 p) {
${shapes
  .slice(1)
  .map((shape, index) => `  if (abs(v_shape - ${index + 1}.0) < 0.5) return ${distanceIn(shape)};`)
  .join('\n')}
  return length(p);
}

void main() {
  // The distance from the border, in screen pixels.
  float inside = (1.0 - distanceOf(v_point)) * v_radius;
  float shape = clamp(inside + 0.5, 0.0, 1.0);
  float fill = clamp(inside - u_pixelRatio + 0.5, 0.0, 1.0);
  // Only the fill is translucent. The colours are premultiplied.
  gl_FragColor = vec4(v_border.rgb, 1.0) * (shape - fill) + vec4(v_color.rgb, 1.0) * fill * u_opacity;
}
`

/** Returns a program that draws nodes of any shape. Their common opacity is that of the function's result, from 0 to 1. */
export function createShapeProgram(opacity: (sigma: Sigma) => number) {
  return class extends NodeProgram<(typeof UNIFORMS)[number]> {
    getDefinition() {
      return {
        VERTICES: 4,
        VERTEX_SHADER_SOURCE,
        FRAGMENT_SHADER_SOURCE,
        METHOD: TRIANGLE_STRIP,
        UNIFORMS,
        ATTRIBUTES: [
          attribute('a_position', 2),
          attribute('a_size', 1),
          attribute('a_shape', 1),
          attribute('a_color', 4, UNSIGNED_BYTE, true),
          attribute('a_border', 4, UNSIGNED_BYTE, true)
        ],
        CONSTANT_ATTRIBUTES: [attribute('a_vertex', 2)],
        CONSTANT_DATA: [-1, 1].flatMap((x) => [-1, 1].map((y) => [x, y]))
      }
    }

    processVisibleItem(_: number, start: number, node: ShapedNode) {
      const { x, y, size, shape, color, borderColor } = node
      this.array.set([x, y, size, shapes.indexOf(shape), floatColor(color), floatColor(borderColor)], start)
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
