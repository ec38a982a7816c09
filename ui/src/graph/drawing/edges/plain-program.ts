import type Sigma from 'sigma'
import { EdgeProgram, type ProgramInfo } from 'sigma/rendering'
import type { NodeDisplayData, RenderParams } from 'sigma/types'
import { floatColor } from 'sigma/utils'
import { attribute, type DrawnEdge, FRAGMENT_SHADER_SOURCE, SHADER_HEAD } from './program.ts'

/** The appearance of an edge drawn as a plain line. */
export interface PlainEdge extends Omit<DrawnEdge, 'bend' | 'hasArrow' | 'line'> {
  /** The rank from `ranksOf`. */
  rank: number
}

const [UNSIGNED_BYTE, LINES, TRIANGLE_STRIP] = [0x1401, 1, 5]

const UNIFORMS = ['u_matrix', 'u_dimensions', 'u_pixelRatio', 'u_opacity', 'u_share', 'u_isRow'] as const

/** The opacity below which the hard borders of individual edges are invisible. */
const FAINT = 0.2

const VERTEX_SHADER_SOURCE = /* glsl */ `
${SHADER_HEAD}
attribute float a_rank;
// The position along the edge, from 0 to 1, and the side of the edge.
attribute vec2 a_vertex;
uniform float u_share;
// 1 to draw edges as rows of pixels, or 0 to draw them as strips.
uniform float u_isRow;

void main() {
  vec2 from = pixelsOf(a_source);
  vec2 to = pixelsOf(a_target);
  vec2 way = to - from;
  vec2 normal = vec2(-way.y, way.x) / max(length(way), 0.0001);
  float width = max(a_size, 1.0) * u_pixelRatio;
  float halfWidth = (width + 1.0) * 0.5;
  float side = a_vertex.y * (1.0 - u_isRow);
  v_borders = vec2(1.0 - side, 1.0 + side) * halfWidth;
  gl_Position = vec4((mix(from, to, a_vertex.x) + normal * side * halfWidth) / u_dimensions * 2.0 - 1.0, 0.0, 1.0);

  // A row of pixels has one pixel per screen column, or one per screen line if it is steep. A strip of the same width would
  // cover more pixels.
  float missing = width * length(way) / max(max(abs(way.x), abs(way.y)), 0.0001);
  float opacity = mix(u_opacity, 1.0, a_emphasis) * min(a_size, 1.0) * mix(1.0, missing, u_isRow);
  v_color = vec4(a_color.rgb, 1.0) * min(opacity, 1.0);
  // Moves edges with a rank above the share out of view.
  if (a_rank > u_share) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
`

/** The vertices of a strip. The first two are also the endpoints of a row. */
const VERTICES = [1, -1].flatMap((side) => [0, 1].map((end) => [end, side]))

/**
 * Returns a program that draws edges as straight strips without arrows. It draws faint edges as rows of pixels, which takes
 * about a third less time on machines without a GPU. `ink` returns the opacity of unemphasized edges and the rank up to which
 * edges are drawn.
 */
export function createPlainEdgeProgram(ink: (sigma: Sigma) => { opacity: number; share: number }) {
  return class extends EdgeProgram<(typeof UNIFORMS)[number]> {
    #areRows = false

    getDefinition() {
      return {
        VERTICES: VERTICES.length,
        VERTEX_SHADER_SOURCE,
        FRAGMENT_SHADER_SOURCE,
        METHOD: TRIANGLE_STRIP,
        UNIFORMS,
        ATTRIBUTES: [
          attribute('a_source', 2),
          attribute('a_target', 2),
          attribute('a_size', 1),
          attribute('a_emphasis', 1),
          attribute('a_rank', 1),
          attribute('a_color', 4, UNSIGNED_BYTE, true)
        ],
        CONSTANT_ATTRIBUTES: [attribute('a_vertex', 2)],
        CONSTANT_DATA: VERTICES
      }
    }

    processVisibleItem(_: number, start: number, from: NodeDisplayData, to: NodeDisplayData, edge: PlainEdge) {
      const { size, emphasis, rank, color } = edge
      this.array.set([from.x, from.y, to.x, to.y, size, emphasis, rank, floatColor(color)], start)
    }

    setUniforms({ matrix, width, height, pixelRatio }: RenderParams, { gl, uniformLocations }: ProgramInfo) {
      const { opacity, share } = ink(this.renderer as unknown as Sigma)
      this.#areRows = opacity < FAINT
      gl.uniformMatrix3fv(uniformLocations.u_matrix as WebGLUniformLocation, false, matrix)
      gl.uniform2f(uniformLocations.u_dimensions as WebGLUniformLocation, width * pixelRatio, height * pixelRatio)
      gl.uniform1f(uniformLocations.u_pixelRatio as WebGLUniformLocation, pixelRatio)
      gl.uniform1f(uniformLocations.u_opacity as WebGLUniformLocation, opacity)
      gl.uniform1f(uniformLocations.u_share as WebGLUniformLocation, share)
      gl.uniform1f(uniformLocations.u_isRow as WebGLUniformLocation, Number(this.#areRows))
    }

    override drawWebGL(strip: number, program: ProgramInfo) {
      this.VERTICES = this.#areRows ? 2 : VERTICES.length
      super.drawWebGL(this.#areRows ? LINES : strip, program)
    }
  }
}
