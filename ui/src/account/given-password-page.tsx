import { text } from '../text/index.ts'
import { OnlyPage } from './only-page.tsx'
import { PasswordForm } from './password-form.tsx'

/** The only page for a user whose password somebody else gave. */
export function GivenPasswordPage({ login }: { login: string }) {
  return (
    <OnlyPage title={text.givenPassword.title} reason={text.givenPassword.reason(login)} width={380}>
      <PasswordForm login={login} />
    </OnlyPage>
  )
}
