import { Button } from '@mantine/core'
import { useLocation } from 'wouter'
import { AccountContext, useEndedSession, useSession, useSetupRequired } from './account/account.ts'
import { FactorSetup } from './account/factor-setup.tsx'
import { OnlyPage } from './account/only-page.tsx'
import { PasswordForm } from './account/password-form.tsx'
import { finishSetup } from './account/second-factor-queries.ts'
import { SignIn, SignInAgain } from './account/sign-in.tsx'
import { Empty, Loading, messageOf } from './shared/failure.tsx'
import { lazyComponent } from './shared/lazy-component.tsx'
import { text } from './text/index.ts'

const InvitationPage = lazyComponent('invitation', () => import('./account/invitation-page.tsx'))
const SignedIn = lazyComponent('signed-in', () => import('./signed-in.tsx'))

/**
 * Shows an invitation to everybody who opens its link. Shows the sign-in form to visitors without a session and on top of the
 * pages of an ended session. Shows the password form to users whose password someone else set. Shows everyone else the pages for
 * their role.
 */
export function App() {
  const session = useSession()
  const ended = useEndedSession()
  const isSetupRequired = useSetupRequired()
  const [location] = useLocation()
  if (location === '/invite') return <InvitationPage />
  if (session.isPending) return <Loading />
  if (session.data === undefined) {
    return (
      <main>
        <Empty isPage title={messageOf(session.error)}>
          <Button onClick={() => session.refetch()}>{text.failure.retry}</Button>
        </Empty>
      </main>
    )
  }
  const user = session.data ?? ended?.user
  if (!user || (session.data === null && user.mustChangePassword)) return <SignIn />
  if (user.mustChangePassword) return <GivenPasswordPage login={user.login} />
  if (isSetupRequired && session.data) return <RequiredFactorPage login={user.login} />
  return (
    <AccountContext key={user.login} value={user}>
      {session.data === null && <SignInAgain />}
      <SignedIn user={user} isCovered={session.data === null} />
    </AccountContext>
  )
}

/** The only page shown to a user who must set up a second factor. */
function RequiredFactorPage({ login }: { login: string }) {
  return (
    <OnlyPage title={text.secondFactor.required} reason={text.secondFactor.requiredReason(login)} width={480}>
      <FactorSetup onDone={finishSetup} />
    </OnlyPage>
  )
}

/** The only page for a user whose password was set by someone else. */
function GivenPasswordPage({ login }: { login: string }) {
  return (
    <OnlyPage title={text.givenPassword.title} reason={text.givenPassword.reason(login)} width={380}>
      <PasswordForm login={login} />
    </OnlyPage>
  )
}
