import { Type } from '@sinclair/typebox'
import { type Settings, serveSettings, settingGroups } from '../../schemas/settings.ts'
import { BadSetting, type Environment, flagOf, readConfig, readSettings } from './config.ts'

export const demoSettings = {
  demo: Type.Boolean({
    default: false,
    description: 'serve five read-only sample graphs and store nothing; only network and monitoring options apply'
  })
}

const FLAG = '--demo'

/**
 * The settings that a demo reads. All others keep their defaults, because other values would change or publish the operator's
 * own files.
 */
const usedSettings = { ...settingGroups.Network, ...settingGroups.Monitoring }

/** Reads the settings of `serve`, and whether to serve the demo. Throws BadSetting. */
export function readDemoConfig(args: string[], env: Environment): { isDemo: boolean; settings: Settings } {
  const [own, others] = [args.filter((arg) => arg === FLAG), args.filter((arg) => arg !== FLAG)]
  const isDemo = readSettings(demoSettings, own, env).values.demo
  if (!isDemo) return { isDemo, settings: readConfig(others, env) }
  const refused = Object.keys(serveSettings)
    .filter((name) => !Object.hasOwn(usedSettings, name))
    .map((name) => `--${flagOf(name)}`)
    .find((flag) => others.some((arg) => arg === flag || arg.startsWith(`${flag}=`)))
  if (refused) throw new BadSetting(`${FLAG} cannot be combined with ${refused}`)
  const settings = { ...readConfig([], {}), ...readConfig(others, env, 'serve', usedSettings), minFree: '0' }
  return { isDemo, settings }
}
