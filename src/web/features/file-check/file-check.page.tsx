import { Button, Stack, Text } from '@mantine/core'
import IconFileSearch from '@tabler/icons-react/dist/esm/icons/IconFileSearch.mjs'
import { FILE_STATES } from '#contract/file-check.ts'
import { productName } from '#web/data/session.ts'
import { PublicPage } from '#web/engines/public-page.tsx'
import { DropArea } from '#web/engines/upload/drop-area.tsx'
import { CheckedFileCard } from './checked-file.tsx'
import { isManifest, presentFiles, useChecks } from './checks.ts'
import classes from './file-check.module.css'
import { VerdictShape } from './verdict-shape.tsx'
import { ANSWERS } from './verdict-texts.ts'

/** The public page on which everyone can check whether a file from the product is unchanged and current. */
export function FileCheckPage() {
  const product = productName()
  const { checks, add, remove, retry } = useChecks()
  const isFinished = checks.every(({ outcome }) => outcome.is === 'done' || outcome.is === 'failed')
  return (
    <PublicPage
      title="Check a file"
      lead={`Find out whether a file from ${product} is unchanged and current: an archive, a list, or a single document.`}
      wide
    >
      <Stack gap="lg">
        <DropArea
          label="Drop files here"
          hint="They stay on your computer. Only their checksums are sent."
          over="Drop to check"
          Icon={IconFileSearch}
          button="Choose files"
          onFiles={add}
        />
        {checks.length > 0 && (
          <section aria-label="Results">
            <ul className={classes['results']}>
              {checks.map((check) => (
                <CheckedFileCard
                  key={check.id}
                  check={check}
                  present={isFinished && isManifest(check) ? presentFiles(checks, check.id) : undefined}
                  onRemove={remove}
                  onRetry={retry}
                />
              ))}
            </ul>
            {checks.length > 1 && isFinished && (
              <Button variant="subtle" size="compact-sm" mt={8} onClick={() => checks.forEach(({ id }) => remove(id))}>
                Clear results
              </Button>
            )}
          </section>
        )}
        <Answers product={product} />
      </Stack>
    </PublicPage>
  )
}

/** What each answer means, and what it does not mean. */
const Answers = ({ product }: { product: string }) => (
  <section aria-labelledby="answers" className={classes['answers']}>
    <h2 id="answers">What the answers mean</h2>
    <dl>
      {FILE_STATES.map((state) => (
        <div key={state}>
          <dt data-state={state}>
            <VerdictShape state={state} />
            {ANSWERS[state].title}
          </dt>
          <dd>{ANSWERS[state].meaning(product)}</dd>
        </div>
      ))}
    </dl>
    <h3>What they do not mean</h3>
    <Text component="ul" size="sm" c="dimmed">
      <li>“Current” does not say that the values in a file are right, or that no documents were added since.</li>
      <li>“Unknown” does not say that a file is forged. Saving it again, as Excel and Word do, or packing an archive again changes it.</li>
      <li>
        Files that left {product} before it recorded what it issues, and files that were private when they were downloaded, are unknown.
      </li>
    </Text>
  </section>
)
