import { text } from '../text/index.ts'
import { FactorSetup } from './factor-setup.tsx'
import { OnlyPage } from './only-page.tsx'
import { finishSetup } from './second-factors.ts'

/** The only page for a user who has to set a second factor up. */
export function RequiredFactorPage({ login }: { login: string }) {
  return (
    <OnlyPage title={text.secondFactor.required} reason={text.secondFactor.requiredReason(login)} width={480}>
      <FactorSetup onDone={finishSetup} />
    </OnlyPage>
  )
}
