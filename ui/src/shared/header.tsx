import {
  ActionIcon,
  Anchor,
  AppShell,
  Burger,
  Button,
  Drawer,
  Group,
  Menu,
  Stack,
  Text,
  Tooltip,
  useMantineColorScheme
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUser, IconUserCircle } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { mayReadAudits, useAccount, useSignOut } from '../account/account.ts'
import { SearchBox } from '../search/search-box.tsx'
import { text } from '../text/index.ts'
import { HELP, HelpLink } from './help-link.tsx'
import { Logo } from './logo.tsx'
import { notifyFailure } from './notify.ts'

/** The header, with navigation for signed-in users. */
export function Header() {
  const [isOpen, { toggle, close }] = useDisclosure()
  return (
    <AppShell.Header px="md">
      <Group h="100%" justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label={text.nav.menu} />
          <Anchor component={Link} href="/graphs" underline="never" c="inherit" aria-label={text.name}>
            <Group gap="xs" wrap="nowrap">
              <Logo size={28} />
              <Text fw={650} visibleFrom="lg">
                {text.name}
              </Text>
            </Group>
          </Anchor>
        </Group>
        <Group component="nav" aria-label={text.nav.label} gap={4} wrap="nowrap" visibleFrom="md">
          <Links onFollow={close} />
        </Group>
        <Group gap="xs" wrap="nowrap">
          <SearchBox />
          <HelpLink />
          <SchemeMenu />
          <AccountMenu />
        </Group>
      </Group>
      <Drawer opened={isOpen} onClose={close} size="xs" title={text.name}>
        <Stack component="nav" aria-label={text.nav.label} gap={4}>
          <Links onFollow={close} />
          <Anchor href={HELP} target="_blank" className="nav-link" underline="never" onClick={close}>
            {text.nav.help}
          </Anchor>
        </Stack>
      </Drawer>
    </AppShell.Header>
  )
}

function Links({ onFollow }: { onFollow: () => void }) {
  const user = useAccount()
  const [location] = useLocation()
  const links = [
    { href: '/graphs', label: text.nav.graphs, isShown: true },
    { href: '/trash', label: text.nav.trash, isShown: true },
    { href: '/audits', label: text.nav.audits, isShown: mayReadAudits(user) },
    { href: '/users', label: text.nav.users, isShown: user.role === 'ADMIN' },
    { href: '/groups', label: text.nav.groups, isShown: user.role === 'ADMIN' }
  ]
  return links
    .filter(({ isShown }) => isShown)
    .map(({ href, label }) => (
      <Anchor
        key={href}
        component={Link}
        href={href}
        className="nav-link"
        aria-current={location === href || location.startsWith(`${href}/`) ? 'page' : undefined}
        onClick={onFollow}
        underline="never"
      >
        {label}
      </Anchor>
    ))
}

const schemes = [
  { scheme: 'light', label: text.nav.light, Icon: IconSun },
  { scheme: 'dark', label: text.nav.dark, Icon: IconMoon },
  { scheme: 'auto', label: text.nav.system, Icon: IconDeviceDesktop }
] as const

function SchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { Icon: Current } = schemes.find(({ scheme }) => scheme === colorScheme) ?? schemes[0]
  return (
    <Menu position="bottom-end">
      {/* If the tooltip were inside the target, the button would lack the ARIA attributes for menu buttons. */}
      <Tooltip label={text.nav.scheme}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={text.nav.scheme}>
            <Current size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {schemes.map(({ scheme, label, Icon }) => (
          <Menu.Item key={scheme} leftSection={<Icon size={16} aria-hidden />} onClick={() => setColorScheme(scheme)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function AccountMenu() {
  const { login, role } = useAccount()
  const signOut = useSignOut()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" color="gray" size="xs" px={6} aria-label={text.nav.account(login)}>
          <IconUserCircle size={22} aria-hidden />
          <Text span size="sm" ms={6} maw="8rem" truncate visibleFrom="lg">
            {login}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.nav.signedInAs(login, text.roles[role])}</Menu.Label>
        <Menu.Item component={Link} href="/account" leftSection={<IconUser size={16} aria-hidden />}>
          {text.account.title}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => signOut.mutate(false, { onError: notifyFailure })}
        >
          {text.nav.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
