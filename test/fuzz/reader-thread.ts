import { parentPort } from 'node:worker_threads'
import type { FastifyRequest } from 'fastify'
import { parseGraphBody } from '../../graph/content/body.ts'
import { contentChecker, contentOf, jsonNow } from '../../graph/content/content.ts'
import { diffContents } from '../../graph/diff/compare.ts'
import { readGraphFile, writeGraphFile } from '../../graph/files/conversion.ts'
import { fileStem, safeFileName } from '../../graph/files/names.ts'
import { writableFormats as formats } from '../../graph/formats/index.ts'
import { sessionOf } from '../../plugins/http/callers/cookies.ts'
import { isExpected, isKnown } from '../../plugins/http/etags.ts'
import { acceptedDiff, acceptedFormat, attachment, fileOptionsOf } from '../../plugins/http/negotiation.ts'
import { networkOf } from '../../plugins/http/networks.ts'
import { pathOf, queryOf } from '../../plugins/http/urls.ts'
import { Credentials } from '../../schemas/account.ts'
import { GraphCreate } from '../../schemas/graph.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { validatorOf } from '../../schemas/validation.ts'
import { printable } from '../../src/system/printable.ts'
import { workbook } from '../support/workbook.ts'

// Runs in a thread with little memory, where it reads inputs and reports the cost of each.

const limits = { maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 32 * 1024 * 1024 }
const check = contentChecker(limits)
const SHARED = '<si><t>Source</t></si><si><t>Target</t></si><si><t>a</t></si>'
const validators = [validatorOf(GraphCreate.properties.name), validatorOf(Credentials)]

/** Reads the text as input for this target. Returns the number of resulting bytes. */
function read(target: string, text: string, turn: number): number {
  if (target === 'header') return readHeader(text)
  if (target === 'cube') return Number(/a+a+$/.test(`${'a'.repeat(text.length / 512)}!`))
  if (target === 'capped') return Number(/a+$/.test(`${'a'.repeat(Math.min(text.length, 16 * 1024))}!`))
  if (target === 'hoard') return text.length < 64 * 1024 ? 0 : Number(Array.from(text.repeat(1000)).length === 0)
  // For a workbook, the text is one of its sheets.
  const bytes = target === 'xlsx' ? workbook({ S: text }, { texts: SHARED }) : Buffer.from(text)
  if (target === 'json') {
    const body = parseGraphBody(bytes, check) as { name?: unknown } | null
    for (const isValid of validators) if (!isValid(body?.name)) JSON.stringify(isValid.errors?.slice(0, 50))
    return 0
  }
  const { report, stored } = readGraphFile(bytes, { formats: target === 'any' ? undefined : [target] }, limits, check)
  let size = JSON.stringify(report).length
  if (!stored) return size
  // It must be possible to compare stored content and write it in any format.
  const content = contentOf(jsonNow(stored.body))
  const format = formats[turn % formats.length] as (typeof formats)[number]
  for (const chunk of writeGraphFile({ name: 'x', content }, format).chunks) size = Math.max(size, chunk.length)
  const half = { ...content, edges: content.edges.slice(content.edges.length / 2) }
  diffContents(content, half, 1000)
  return size
}

function readHeader(text: string) {
  const readers = [
    () => isKnown(text, '"a"'),
    () => isExpected(text, { id: 1, version: 1, updatedAt: '2026-11-21T09:30:00.000Z' }),
    () => acceptedFormat(text, undefined),
    () => acceptedDiff(text),
    () => fileOptionsOf(text, undefined),
    () => networkOf(text),
    () => sessionOf({ protocol: 'http', headers: { cookie: text } } as FastifyRequest),
    () => queryOf(text),
    () => pathOf(text),
    () => printable(text),
    () => fileStem(text),
    () => safeFileName(text),
    () => attachment(text, formats[0] as (typeof formats)[number])
  ]
  for (const reader of readers) quietly(reader)
  return 0
}

/** Runs the task and ignores refusals, which are valid outcomes. */
function quietly(task: () => unknown) {
  try {
    task()
  } catch (error) {
    if (!(error instanceof ProblemError) && !(error instanceof URIError)) throw error
  }
}

export interface Question {
  target: string
  text: string
  turn: number
}

/** The CPU time of this thread in milliseconds, and any error other than a refusal. */
export interface Answer {
  time: number
  size: number
  error?: string
}

parentPort?.on('message', ({ target, text, turn }: Question) => {
  const start = process.threadCpuUsage()
  let size = 0
  let failure: string | undefined
  try {
    size = read(target, text, turn)
  } catch (error) {
    if (!(error instanceof ProblemError)) failure = String((error as Error).stack ?? error)
  }
  const { user, system } = process.threadCpuUsage(start)
  const answer: Answer = { time: (user + system) / 1000, size, ...(failure && { error: failure }) }
  parentPort?.postMessage(answer)
})
