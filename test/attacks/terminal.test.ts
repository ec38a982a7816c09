import { createServer } from 'node:http'
import t from 'tap'
import { escapeJson, escapeLines } from '../../src/system/terminal.ts'
import { only } from '../support/engine.ts'
import { listenOn } from '../support/listening.ts'
import { runProgram } from '../support/program.ts'

const once = only('SQLite', 'it tests the terminal')

/** Characters that control a terminal or reorder text: DEL, C1, line separators and direction marks. */
const DRIVING = '\u007f\u0080\u009b\u009d\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069'
const driving = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

t.test('every control character except line breaks and tabs is escaped', once, async (t) => {
  t.equal(escapeLines('a\tb\r\nc\u001b\rd\u009b'), 'a\tb\r\nc\\u{1b}\\u{d}d\\u{9b}')
  t.notMatch(escapeLines(DRIVING), driving)
  const json = escapeJson(JSON.stringify({ name: `é${DRIVING}` }))
  t.notMatch(json, driving)
  t.same(JSON.parse(json), { name: `é${DRIVING}` })
})

t.test(
  'control characters in arguments and server responses are escaped before they reach the terminal',
  once,
  async (t) => {
    const graph = {
      id: 1,
      name: DRIVING,
      owner: DRIVING,
      access: 'OWNER',
      version: 1,
      nodeCount: 0,
      edgeCount: 0,
      key: DRIVING
    }
    const server = createServer((request, response) => {
      response
        .setHeader('content-type', 'application/json')
        .end(request.url?.includes('graphs') ? JSON.stringify([graph]) : DRIVING)
    })
    const url = await listenOn(t, server)
    const env = { GRAPHSTEAD_URL: url, GRAPHSTEAD_TOKEN: 'gst_000000000000000000000000000000abcdef' }
    for (const args of [
      ['export', '1', `${DRIVING}.xyz`],
      ['export', '1', `${DRIVING}.gml`, '--data', t.testdir({})],
      [DRIVING],
      ['user', DRIVING],
      ['list'],
      ['list', '--json'],
      ['audit', 'key', url, '--plain-http'],
      ['check', DRIVING]
    ]) {
      const { stdout, stderr } = await runProgram(args, env)
      t.not(stdout + stderr, '', args.join(' '))
      t.notMatch(stdout + stderr, driving, JSON.stringify(args))
    }
  }
)
