import { createColors } from 'picocolors'
import { expect, test } from 'vitest'
import { renderProfile } from '../../../src/cli/render/render-profile.ts'
import type { ColumnProfile, RunProfile } from '../../../src/kernel/profile/run-profile.ts'

const quantiles = (p50: string | number) => ({ p05: p50, p25: p50, p50, p75: p50, p95: p50 })

function render(column: ColumnProfile, width = 80): string[] {
  const profile: RunProfile = {
    version: 1,
    pipeline: 'products',
    runId: '0'.repeat(32),
    tables: [{ name: 'products', rows: 40, columns: [column] }],
    localized: [],
  }
  return renderProfile(profile, createColors(false), { width, isDetailed: false }).split('\n').slice(3)
}

test('the terminal shows the median of a column of numbers, and a bar for each part of its histogram', () => {
  const price: ColumnProfile = {
    name: 'price',
    type: 'decimal(12,2)',
    filled: 40,
    min: '0.50',
    max: '99.95',
    quantiles: quantiles('12.50'),
    histogram: { bounds: ['0.00', '20.00', '40.00', '60.00', '80.00', '100.00'], counts: [24, 12, 0, 1, 3] },
  }
  expect(render(price)).toEqual(['    0.50 to 99.95, median 12.50  █▄·▁▁'])
})

test('the terminal shows the day of a median time, and bars below if there is no room beside it', () => {
  const changed: ColumnProfile = {
    name: 'updated_at',
    type: 'timestamp',
    filled: 40,
    min: '2024-01-31T10:00:00Z',
    max: '2026-03-01T23:59:59Z',
    quantiles: quantiles('2025-05-17T00:00:00Z'),
    histogram: {
      bounds: ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
      counts: [1, 31, 8],
    },
  }
  const range = '    2024-01-31T10:00:00Z to 2026-03-01T23:59:59Z, median 2025-05-17'
  expect(render(changed, 120)).toEqual([`${range}  ▁█▃`])
  const many = Array.from({ length: 20 }, () => 1)
  expect(render({ ...changed, histogram: { bounds: [], counts: many } })).toEqual([range, `    ${'█'.repeat(20)}`])
})

test('the terminal draws no histogram of one or two parts, and no median if all values are one', () => {
  const vat: ColumnProfile = { name: 'vat', type: 'float', filled: 40, min: 6, max: 6, quantiles: quantiles(6) }
  expect(render({ ...vat, histogram: { bounds: [6, 7], counts: [40] } })).toEqual(['    only 6'])
})
