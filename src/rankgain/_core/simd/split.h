/* Sums of a whole block of doubles cut in two parts, as sums/split.h does, which says why no sum is rounded. */

ALGORITHM int ON(split)(const double *x, const struct levels *levels, double *sums) {
    const doubles first = levels->first - (doubles){0}, second = levels->second - (doubles){0}, bound = levels->bound - (doubles){0};
    doubles high[2] = {{0}}, low[2] = {{0}};
    longs over = {0}, rest = {0};
    for (const double *end = x + SPLIT_BLOCK; x < end; x += LANES)
        for (int j = 0; j < 2; j++) {
            const doubles v = load_doubles(x + LANES / 2 * j), part = (v + first) - first, left = v - part;
            const doubles under = (left + second) - second;
            over |= ~((doubles)((longs)v & INT64_MAX) <= bound);
            rest |= (longs)(left - under);
            high[j] += part;
            low[j] += under;
        }
    int status = SPLIT_FITS;
    sums[0] = sums[1] = 0;
    for (int j = 0; j < LANES / 2; j++) {
        sums[0] += high[0][j] + high[1][j];
        sums[1] += low[0][j] + low[1][j];
        if (rest[j] && status == SPLIT_FITS) status = SPLIT_LEAVES;
        if (over[j]) status = SPLIT_BEYOND;
    }
    return status;
}

/* The sum of a whole block of products. */
ALGORITHM double ON(dot)(const double *x, const double *times) {
    doubles lane[2] = {{0}};
    double sum = 0;
    for (ptrdiff_t i = 0; i < SPLIT_BLOCK; i += LANES)
        for (int j = 0; j < 2; j++) lane[j] += load_doubles(x + i + LANES / 2 * j) * load_doubles(times + i + LANES / 2 * j);
    for (int j = 0; j < LANES / 2; j++) sum += lane[0][j] + lane[1][j];
    return sum;
}
