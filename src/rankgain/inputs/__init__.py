"""Input: arrays, ids, columns and files, checked and brought into one form, `Lists`; `Truth`."""
