import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { text } from './text/index.ts'

/** Light and dark colours with a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3). */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: 9, dark: 9 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  headings: { fontWeight: '650' },
  components: {
    ColorPicker: { defaultProps: { saturationLabel: text.colours.saturation, hueLabel: text.colours.hue } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': text.close } } },
    // The placeholder is a child of the menu with a role that menus must not contain.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': text.close } } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': text.signIn.showPassword } } }
  }
})

/** Darker than the default, on which white text is hard to read. */
const hover = { '--mantine-color-cyan-filled-hover': '#096171' }

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...hover,
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    // Lighter than the default, on which the text of buttons is hard to read.
    '--mantine-color-cyan-light-hover': '#bdf3f8',
    // The titles of warnings.
    '--mantine-color-yellow-light-color': '#7a4a00'
  },
  dark: {
    ...hover,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-anchor': 'var(--mantine-color-cyan-4)',
    '--mantine-color-error': 'var(--mantine-color-red-4)'
  }
})
