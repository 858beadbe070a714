import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

import type { Sample } from './RemoveSampleDialog.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './public/SetupCard.module.css'

const RemoveSampleDialog = lazy(() => import('./RemoveSampleDialog.tsx').then((module) => ({ default: module.RemoveSampleDialog })))

/** Offers to replace the sample network with real records. */
export const SampleNotice = ({ sample }: { sample: Sample }) => {
  const [isRemoving, setRemoving] = useState(false)
  return (
    <section className={`${layoutClasses.card} ${layoutClasses.spreadRow} ${classes.card}`} aria-labelledby="own-records">
      <div>
        <h2 id="own-records">Start with your own records</h2>
        <p className={textClasses.dimmed}>Everything here is invented. When you have seen enough, bring in your own schools and people.</p>
      </div>
      <Button onClick={() => setRemoving(true)}>Start with Your Own Records</Button>
      {isRemoving ? (
        <Suspense>
          <RemoveSampleDialog sample={sample} onClose={() => setRemoving(false)} />
        </Suspense>
      ) : null}
    </section>
  )
}
