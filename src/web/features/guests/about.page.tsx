import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { productName } from '#web/data/session.ts'
import { PublicPage } from '#web/engines/public-page.tsx'
import { paths } from '#web/paths.ts'
import classes from './guests.module.css'

/** What people from outside can read about the product, unless a page of its operator is configured. */
export function AboutPage() {
  const product = productName()
  return (
    <PublicPage
      title={`About ${product}`}
      lead="Property insurance submissions: locations, insured values and documents in one place."
      wide
    >
      <Stack gap="lg">
        <Answer title="What you see">
          One account was shared with you: its properties, their insured values and the documents that were chosen for you. You see it as it
          is now, so values and documents can change between two visits.
        </Answer>
        <Answer title="It is confidential">
          Please do not copy or share the link. Its sender decides how long it works, and can end your access at any time.
        </Answer>
        <Answer title="What the sender sees">When you open the account, and which documents you open or download.</Answer>
        <Answer title="Files that you download">
          Archives, Word files and Excel files carry their date and the checksums of what is in them. On{' '}
          <Anchor component={Link} to={paths.fileCheck()} inherit>
            Check a file
          </Anchor>
          , everyone can find out whether such a file is unchanged and current. The file stays on your computer.
        </Answer>
        <Answer title="Questions">Please ask the person who sent you the link. Their name is above the account.</Answer>
      </Stack>
    </PublicPage>
  )
}

const Answer = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2 className={classes['question']}>{title}</h2>
    <Text size="sm">{children}</Text>
  </section>
)
