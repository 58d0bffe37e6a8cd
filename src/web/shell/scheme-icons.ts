import type { MantineColorScheme } from '@mantine/core'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'

export const SCHEME_ICONS = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const satisfies Record<
  MantineColorScheme,
  unknown
>
