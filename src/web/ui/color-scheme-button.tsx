import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'

const SCHEMES = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
] as const

/** The choice is stored in the browser. */
export function ColorSchemeButton({ className, withLabel }: { className: string; withLabel: boolean }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { Icon } = SCHEMES.find(({ value }) => value === colorScheme) ?? SCHEMES[2]
  return (
    <Menu position="right-end">
      <Menu.Target>
        <UnstyledButton className={className} aria-label="Appearance">
          <Icon size={20} stroke={1.6} aria-hidden />
          {withLabel && <span>Appearance</span>}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(SCHEMES.find((scheme) => scheme.value === value)?.value ?? 'auto')}
        >
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
