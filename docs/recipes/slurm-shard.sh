#!/usr/bin/env bash
# One shard of a plan: sbatch --array=0-19 slurm-shard.sh /shared/plan
#SBATCH --job-name=catalogue-shard
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G
#SBATCH --requeue
set -uo pipefail

# The index comes in SLURM_ARRAY_TASK_ID.
catalogue-etl shards run "$1"
status=$?

# What a repetition can mend is put back into the queue, three times at most.
if [ "$status" -ne 0 ] && [ "$status" -ne 2 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
fi
exit "$status"
