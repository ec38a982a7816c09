import { Menu } from '@mantine/core'
import { text } from '../../text/index.ts'

export interface Action {
  label: string
  act: () => void
  disabled?: boolean
  /** Whether the action opens a dialog. */
  opens?: boolean
}

/** A menu at a place in the positioned element around it, in pixels. It stays open after an action that opens a dialog. */
export function PlacedMenu({
  place,
  actions,
  onClose
}: {
  place: { x: number; y: number }
  actions: Action[]
  onClose: () => void
}) {
  return (
    <Menu
      opened
      position="bottom-start"
      onClose={onClose}
      closeOnItemClick={false}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <button
          type="button"
          className="menu-place"
          style={{ left: place.x, top: place.y }}
          tabIndex={-1}
          aria-label={text.menu.title}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={text.menu.title}>
        {actions.map(({ label, act, opens, disabled = false }) => (
          <Menu.Item
            key={label}
            disabled={disabled}
            onClick={() => {
              act()
              if (!opens) onClose()
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
