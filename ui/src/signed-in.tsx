import { Anchor, AppShell } from '@mantine/core'
import { ErrorBoundary } from 'react-error-boundary'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { mayReadAudits } from './account/account.ts'
import { NewSignIns } from './account/new-sign-ins.tsx'
import type { User } from './api.ts'
import { GraphsPage } from './graphs/graphs-page.tsx'
import { Empty, FailureAlert, HasBanner } from './shared/failure.tsx'
import { Header } from './shared/header.tsx'
import { lazyComponent } from './shared/lazy-component.tsx'
import { Offline } from './shared/offline.tsx'
import { text } from './text/index.ts'

// Loaded on demand, because the first page needs no drawings, differences or charts.
const AccountPage = lazyComponent('account', () => import('./account/account-page.tsx'), { isPage: true })
const GraphPage = lazyComponent('graph', () => import('./graph/graph-page.tsx'), { isPage: true })
const HistoryPage = lazyComponent('history', () => import('./history/history-page.tsx'), { isPage: true })
const AuditsPage = lazyComponent('audits', () => import('./audits/audits-page.tsx'), { isPage: true })
const CheckpointsPage = lazyComponent('checkpoints', () => import('./audits/checkpoints-page.tsx'), { isPage: true })
const GroupsPage = lazyComponent('groups', () => import('./groups/groups-page.tsx'), { isPage: true })
const TrashPage = lazyComponent('trash', () => import('./trash/trash-page.tsx'), { isPage: true })
const UsersPage = lazyComponent('users', () => import('./users/users-page.tsx'), { isPage: true })

/** The header and pages of a signed-in user. `isCovered` hides them behind the sign-in form. */
export default function SignedIn({ user, isCovered }: { user: User; isCovered: boolean }) {
  const [location] = useLocation()
  return (
    <AppShell header={{ height: 56 }} padding={0} {...(isCovered && { className: 'covered' })}>
      <a href="#content" className="skip-link">
        {text.skipToContent}
      </a>
      <Header />
      <AppShell.Main id="content" tabIndex={-1}>
        <Offline />
        <NewSignIns />
        <HasBanner value={true}>
          <ErrorBoundary
            resetKeys={[location]}
            fallbackRender={({ error, resetErrorBoundary }) => (
              <FailureAlert error={error} retry={resetErrorBoundary} />
            )}
          >
            <Pages user={user} />
          </ErrorBoundary>
        </HasBanner>
      </AppShell.Main>
    </AppShell>
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
        <Empty isPage title={text.noSuchPage}>
          <Anchor component={Link} href="/graphs">
            {text.graph.back}
          </Anchor>
        </Empty>
      </Route>
    </Switch>
  )
}
