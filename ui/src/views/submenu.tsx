import { Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { IconHome } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** A submenu beside its parent, or below its own item if the window is narrow. */
export function Submenu({ label, Icon, children }: { label: string; Icon: typeof IconHome; children: ReactNode }) {
  const isNarrow = useMediaQuery('(max-width: 48em)')
  return (
    // The parent scrolls, and would clip a submenu without the fixed position.
    <Menu.Sub floatingStrategy="fixed" position={isNarrow ? 'bottom-start' : 'left-start'}>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<Icon size={16} aria-hidden />}>{label}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown className="views-menu">{children}</Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
