import { Button } from '@mantine/core'

/** A button in a bar, list or panel of the import. */
export const CompactButton = Button.withProps({ variant: 'default', size: 'compact-md', style: { flexShrink: 0 } })
