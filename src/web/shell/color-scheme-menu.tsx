import { Menu, useMantineColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
] as const

interface ColorSchemeMenuProps {
  /** The button that opens it. */
  target: ReactNode
  initiallyOpen?: boolean
}

/** The choice is stored in the browser. */
export function ColorSchemeMenu({ target, initiallyOpen = false }: ColorSchemeMenuProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const choose = (name: string) => setColorScheme(SCHEMES.find(({ value }) => value === name)?.value ?? 'auto')
  return (
    <Menu position="right-end" defaultOpened={initiallyOpen}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={choose}>
          {SCHEMES.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
