import { Type } from '@sinclair/typebox'
import { type Settings, serveSettings } from '../../schemas/settings.ts'
import type { Command } from '../command.ts'
import { examineBackups } from '../doctor/backups.ts'
import { examineTls } from '../doctor/certificate.ts'
import { type Finding, findingsAbout } from '../doctor/finding.ts'
import { examineLimits, examineSpace, judgeClock } from '../doctor/machine.ts'
import { examinePermissions } from '../doctor/permissions.ts'
import { examinePorts } from '../doctor/ports.ts'
import { examineAudit, examineReplica, examineStore } from '../doctor/store.ts'
import { BadSetting, readConfig } from '../settings/config.ts'
import { readIdentityProvider } from '../settings/identity-provider.ts'
import { serverUsage } from '../settings/usage.ts'
import { describeProgram } from '../system/about.ts'
import { printable } from '../system/printable.ts'
import { print, printJson } from '../system/terminal.ts'
import { version } from '../system/version.ts'

const output = {
  json: Type.Boolean({ default: false, description: 'print one line of JSON' })
}

export const help = serverUsage(
  'doctor [serve options]',
  `Checks the settings, database, disk, limits, permissions, ports, certificate and backups of a server, and prints a line for each:
good, or what to fix. Run it as the server's user, with the same options and environment as serve. It changes nothing, and the server
may be running. The exit code is 1 if something must be fixed, regardless of warnings and unknown states.`,
  { Output: output }
)

/** Examines a server's environment. Returns 1 if something must be fixed. */
const doctor: Command = async (args) => {
  const config = readConfig(args, process.env, 'doctor', { ...serveSettings, ...output }) as Settings & {
    json: boolean
  }
  const about = await describeProgram()
  const findings = [examineProgram(about), ...(await examine(config))]
  const isGood = findings.every(({ state }) => state !== 'bad')
  if (config.json) printJson({ ...about, good: isGood, findings })
  else for (const finding of findings) print(lineOf(finding))
  return isGood ? 0 : 1
}

export default doctor

async function examine(config: Settings): Promise<Finding[]> {
  const { finding, store } = await examineStore(config)
  return [
    finding,
    ...(await examineReplica(config)),
    await examineAudit(config),
    await examineSpace(config, config.database === undefined ? (store?.size ?? 0) : 0),
    ...examineLimits(config),
    judgeClock(Date.now(), store?.newestEvent),
    ...examinePermissions(config),
    ...(await examinePorts(config, version)),
    ...examineTls(config),
    ...examineSignIn(config),
    await examineBackups(config)
  ]
}

function examineProgram(about: Awaited<ReturnType<typeof describeProgram>>): Finding {
  const { version, build, node, platform, arch } = about
  return findingsAbout('program')('good', `Graphstead ${version} (${build}) on Node.js ${node}, ${platform} ${arch}`)
}

/** Examines the settings of the identity provider, if one is configured, without contacting it. */
function examineSignIn(config: Settings): Finding[] {
  const finding = findingsAbout('sign-in')
  try {
    const provider = readIdentityProvider(config)
    return provider ? [finding('good', `uses ${provider.issuer}, which was not contacted`)] : []
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error
    return [finding('bad', `${error.message}; the server will not start`)]
  }
}

function lineOf({ topic, state, says }: Finding) {
  return `${state.padEnd(8)} ${topic.padEnd(12)} ${printable(says)}`
}
