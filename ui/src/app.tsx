import { Anchor, AppShell, Container } from '@mantine/core'
import { ErrorBoundary } from 'react-error-boundary'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { AccountContext, mayReadAudits, useEndedSession, useSession, useSetupRequired } from './account/account.ts'
import { FactorSetup } from './account/factor-setup.tsx'
import { NewSignIns } from './account/new-sign-ins.tsx'
import { OnlyPage } from './account/only-page.tsx'
import { PasswordForm } from './account/password-form.tsx'
import { finishSetup } from './account/second-factor-queries.ts'
import { SignIn, SignInAgain } from './account/sign-in.tsx'
import type { User } from './api.ts'
import { GraphsPage } from './graphs/graphs-page.tsx'
import { Empty, FailureAlert, Loading } from './shared/failure.tsx'
import { Header } from './shared/header.tsx'
import { lazyComponent } from './shared/lazy-component.tsx'
import { Offline } from './shared/offline.tsx'
import { text } from './text/index.ts'

// Loaded on demand, because the first page needs no drawings, differences or charts.
const AccountPage = lazyComponent('account', () => import('./account/account-page.tsx'))
const GraphPage = lazyComponent('graph', () => import('./graph/graph-page.tsx'))
const HistoryPage = lazyComponent('history', () => import('./history/history-page.tsx'))
const AuditsPage = lazyComponent('audits', () => import('./audits/audits-page.tsx'))
const CheckpointsPage = lazyComponent('checkpoints', () => import('./audits/checkpoints-page.tsx'))
const GroupsPage = lazyComponent('groups', () => import('./groups/groups-page.tsx'))
const InvitationPage = lazyComponent('invitation', () => import('./account/invitation-page.tsx'))
const TrashPage = lazyComponent('trash', () => import('./trash/trash-page.tsx'))
const UsersPage = lazyComponent('users', () => import('./users/users-page.tsx'))

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
      <Container component="main" size="xs" pt="xl">
        <FailureAlert error={session.error} retry={() => session.refetch()} />
      </Container>
    )
  }
  const user = session.data ?? ended?.user
  if (!user || (session.data === null && user.mustChangePassword)) return <SignIn />
  if (user.mustChangePassword) return <GivenPasswordPage login={user.login} />
  if (isSetupRequired && session.data) return <RequiredFactorPage login={user.login} />
  return (
    <AccountContext key={user.login} value={user}>
      {session.data === null && <SignInAgain />}
      <AppShell header={{ height: 56 }} padding={0} {...(session.data === null && { className: 'covered' })}>
        <a href="#content" className="skip-link">
          {text.skipToContent}
        </a>
        <Header />
        <AppShell.Main id="content" tabIndex={-1}>
          <Offline />
          <NewSignIns />
          <ErrorBoundary
            resetKeys={[location]}
            fallbackRender={({ error, resetErrorBoundary }) => (
              <FailureAlert error={error} retry={resetErrorBoundary} />
            )}
          >
            <Pages user={user} />
          </ErrorBoundary>
        </AppShell.Main>
      </AppShell>
    </AccountContext>
  )
}

/** Routes addresses to pages. Keep plugins/server/web-app.ts in sync. */
function Pages({ user }: { user: User }) {
  return (
    <Switch>
      <Route path="/">
        <Redirect to="/graphs" replace />
      </Route>
      <Route path="/sign-in">
        <Redirect to="/graphs" replace />
      </Route>
      <Route path="/graphs" component={GraphsPage} />
      <Route path="/graphs/:id">{({ id }) => <GraphPage key={id} id={Number(id)} />}</Route>
      <Route path="/graphs/:id/history">{({ id }) => <HistoryPage key={id} id={Number(id)} />}</Route>
      <Route path="/trash" component={TrashPage} />
      <Route path="/account" component={AccountPage} />
      {mayReadAudits(user) && <Route path="/audits" component={AuditsPage} />}
      {mayReadAudits(user) && <Route path="/audits/checkpoints" component={CheckpointsPage} />}
      {mayReadAudits(user) && <Route path="/audits/:id" component={AuditsPage} />}
      {user.role === 'ADMIN' && <Route path="/users" component={UsersPage} />}
      {user.role === 'ADMIN' && <Route path="/groups" component={GroupsPage} />}
      <Route>
        <Empty title={text.noSuchPage}>
          <Anchor component={Link} href="/graphs">
            {text.graph.back}
          </Anchor>
        </Empty>
      </Route>
    </Switch>
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
